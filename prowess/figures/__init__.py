"""What was measured: rates and their intervals, tables, plots."""
