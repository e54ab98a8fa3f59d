-- What this site is; `site-gen man` and the handbook of Ridgepoint explain the keys.
return {
	ridgepoint = "{version}",
	title = "{title}",
	tagline = "Kernels, measured",
	description = "Every measured number on these pages is a lookup in a record.",
	base_url = "https://example.org", -- where readers will find it
	author = "",
	licence = "CC BY 4.0",
	licence_url = "https://creativecommons.org/licenses/by/4.0/",
	markdown = true,
	cards = true,
	-- colours = {
	-- 	light = { accent = "#0b5f86", background = "#fcfcfa", text = "#1b1d22" },
	-- 	dark = { accent = "#7cc7ee", background = "#14161a", text = "#e7e6e1" },
	-- },
	-- logo = "static/logo.svg", -- before the title
	-- favicon = "static/favicon.png",
	nav = {
		{ title = "Posts", url = "/posts/" },
		{ title = "Kernels", url = "/kernels/" },
		{ title = "Runs", url = "/runs/" },
		{ title = "About", url = "/about/" },
	},
}
