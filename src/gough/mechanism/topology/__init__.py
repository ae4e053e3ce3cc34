"""The mechanism graph: hub and legs, found and never declared, and their spanning trees."""
