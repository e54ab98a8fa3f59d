return { title = "Kernels", base_url = "https://example.org", repository = "https://code.example/r" }
