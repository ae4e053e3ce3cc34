"""What people read: the sheet of a robot."""
