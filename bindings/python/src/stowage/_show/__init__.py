"""Answers for people and for other libraries: text, tables, pictures, frames."""
