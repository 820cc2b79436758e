"""The apps of desk: each file holds an app's rows, what can be done to them, and its APIs."""
