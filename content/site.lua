-- What this site is; site-gen/lua/config.h explains every key.
return {
	title = "Ridgepoint",
	tagline = "GPU kernels, measured",
	description = "GPU kernels, measured: every measured number on these pages is a lookup in a record.",
	base_url = "https://ridgepoint.example",
	author = "",
	licence = "CC BY 4.0",
	licence_url = "https://creativecommons.org/licenses/by/4.0/",
	repository = "",
	language = "en",
	languages = {
		en = { name = "English" },
		zh = {
			name = "中文",
			tagline = "GPU kernel 实测",
			description = "GPU kernel 实测：这些页面上的每个实测数字，都能在一条记录中查到。",
			nav = {
				{ title = "文章", url = "/zh/posts/" },
				{ title = "手册", url = "/zh/handbook/" },
				{ title = "Kernel", url = "/zh/kernels/" },
				{ title = "运行记录", url = "/zh/runs/" },
				{ title = "关于", url = "/zh/about/" },
			},
		},
	},
	default_device = "h200",
	markdown = true,
	cards = true,
	source = true,
	nav = {
		{ title = "Posts", url = "/posts/" },
		{ title = "Handbook", url = "/handbook/" },
		{ title = "Kernels", url = "/kernels/" },
		{ title = "Runs", url = "/runs/" },
		{ title = "About", url = "/about/" },
	},
}
