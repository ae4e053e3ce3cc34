"""SDF, the format of Gazebo and Drake: loops are joints of the graph, frames of 1.4 to 1.12."""
