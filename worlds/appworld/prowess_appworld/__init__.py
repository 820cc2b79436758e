"""AppWorld, the benchmark of the paper: its apps in processes of their own, the agent's code in our jail."""
