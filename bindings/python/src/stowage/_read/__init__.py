"""What people write, converted to columns."""
