-- What this site is; site-gen/config.h explains every key.
return {
	title = "Ridgepoint",
	description = "GPU kernels, measured: every measured number on these pages is a lookup in a record.",
	base_url = "https://ridgepoint.example",
	author = "",
	licence = "CC BY 4.0",
	repository = "",
	language = "en",
	default_device = "h200",
	nav = {
		{ title = "Posts", url = "/posts/" },
		{ title = "Kernels", url = "/kernels/" },
		{ title = "Runs", url = "/runs/" },
		{ title = "About", url = "/about/" },
	},
}
