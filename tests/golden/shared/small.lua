return { title = "Golden", base_url = "https://golden.example" }
