return {
	markdown = true,
	title = "Golden",
	base_url = "https://golden.example/blog",
	description = "Several cards, two devices, two languages",
	default_device = "h200",
	languages = {
		en = { name = "English" },
		zh = {
			name = "中文",
			title = "金色",
			description = "几张卡，两种设备",
			nav = { { title = "文章", url = "/zh/posts/" } },
		},
	},
	nav = { { title = "Posts", url = "/posts/" } },
}
