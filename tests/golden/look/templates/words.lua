return { en = { skip = "Skip", tags = "Tags" } }
