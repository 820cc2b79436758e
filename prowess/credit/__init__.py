"""From played groups to weighted samples: reward, advantage, samples. Pure functions."""
