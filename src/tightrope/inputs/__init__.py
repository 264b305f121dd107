"""What a unit is given: the shape of its inputs, and the values of one input."""
