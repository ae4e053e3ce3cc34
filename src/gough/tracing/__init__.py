"""The same equations called with symbols: an expression graph, as a small program of our own."""
