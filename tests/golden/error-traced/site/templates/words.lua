return { en = { foot = "Built in 12 ms" } }
