"""How desk works: tables of rows, the APIs over them, families of tasks, cases, grading."""
