"""What an identification shows: efforts, parameters, what is left, and one page of it all."""
