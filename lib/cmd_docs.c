/*
 * lib/cmd_docs.c - prints the manual page and the shell completion. To add a shell, write a
 * function and add a row to `shells`.
 */
#include "lib/cmd_inner.h"

#include <string.h>

#include "lib/array.h"

/* --- manual page --- */

/* Writes a character beyond ASCII by its number; returns its last byte. The text is UTF-8. */
static const char *roff_special(struct sb *to, const char *text)
{
	int more = (unsigned char)*text >= 0xF0 ? 3 : (unsigned char)*text >= 0xE0 ? 2 : 1;
	unsigned long c = (unsigned char)*text & (0x3Fu >> more);
	for (; more > 0 && text[1]; more--)
		c = c << 6 | ((unsigned char)*++text & 0x3F);
	sb_printf(to, "\\[u%04lX]", c);
	return text;
}

/* Escapes text for roff: '\', '-', and its control characters at the start of a line. */
static void roff(struct sb *to, const char *text)
{
	bool start = true;
	for (; text && *text; text++) {
		if (start && (*text == '.' || *text == '\''))
			sb_cstr(to, "\\&");
		if (*text == '\\')
			sb_cstr(to, "\\e");
		else if (*text == '-')
			sb_cstr(to, "\\-");
		else if ((unsigned char)*text < 0x80)
			sb_char(to, *text);
		else
			text = roff_special(to, text);
		start = *text == '\n';
	}
}

static void man_option(const struct cmd_option *o, struct sb *to)
{
	sb_cstr(to, ".TP\n\\fB");
	if (o->letter)
		sb_printf(to, "\\-%c\\fR, \\fB", o->letter);
	sb_cstr(to, "\\-\\-");
	roff(to, o->name);
	sb_cstr(to, "\\fR");
	if (o->value) {
		sb_cstr(to, " \\fI");
		roff(to, o->value);
		sb_cstr(to, "\\fR");
	}
	sb_char(to, '\n');
	roff(to, o->help);
	sb_char(to, '\n');
}

/* Prints paragraphs; lines indented by two blanks are examples. */
static void man_text(const char *text, struct sb *to)
{
	struct str rest = str_of(text ? text : ""), line;
	bool example = false;
	while (rest.n > 0) {
		struct sb one = {0};
		str_cut(rest, '\n', &line, &rest);
		bool now = str_starts(line, "  ");
		if (now != example)
			sb_cstr(to, now ? ".PP\n.nf\n.RS\n" : ".RE\n.fi\n");
		else if (line.n == 0)
			sb_cstr(to, ".PP\n");
		example = now;
		sb_str(&one, str_sub(line, now ? 2 : 0, line.n));
		roff(to, one.p);
		if (line.n)
			sb_char(to, '\n');
		sb_free(&one);
	}
	if (example)
		sb_cstr(to, ".RE\n.fi\n");
}

void cmd_man(const struct cmd_program *p, struct sb *to)
{
	sb_printf(to, ".TH \"%s\" \"1\"\n.SH NAME\n%s \\- ", p->name, p->name);
	roff(to, p->about);
	sb_printf(to,
	          "\n.SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
	          ".SH COMMANDS\n",
	          p->name);
	for (int i = 0; i < p->n; i++) {
		const struct cmd *c = &p->table[i];
		sb_cstr(to, ".SS \"");
		roff(to, c->name);
		sb_char(to, ' ');
		roff(to, c->synopsis);
		sb_cstr(to, "\"\n");
		roff(to, c->help);
		sb_cstr(to, ".\n.PP\n");
		man_text(c->more, to);
		for (const struct cmd_option *o = c->options; o && o->name; o++)
			man_option(o, to);
	}
	sb_cstr(to, ".SH EXIT STATUS\n0: done. 1: it failed, and said why. 2: it was called "
	            "wrongly.\n");
}

/* --- completion --- */

/* Command names, and option names with their dashes. */
static void names(const struct cmd_program *p, struct sb *to)
{
	for (int i = 0; i < p->n; i++)
		sb_printf(to, "%s%s", i ? " " : "", p->table[i].name);
}

static void options(const struct cmd *c, struct sb *to)
{
	for (const struct cmd_option *o = c->options; o && o->name; o++)
		sb_printf(to, "--%s ", o->name);
	sb_cstr(to, "--help");
}

/* The program's name as a shell function's name. */
static void identifier(const char *name, struct sb *to)
{
	for (; *name; name++)
		sb_char(to, *name == '-' ? '_' : *name);
}

static void bash(const struct cmd_program *p, struct sb *to)
{
	struct sb function = {0};
	identifier(p->name, &function);
	sb_printf(to,
	          "# bash completion of %s: source this file\n_%s() {\n"
	          "\tlocal word=${COMP_WORDS[COMP_CWORD]} options=\n"
	          "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W '",
	          p->name, function.p);
	names(p, to);
	sb_cstr(to, " help' -- \"$word\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n");
	for (int i = 0; i < p->n; i++) {
		sb_printf(to, "\t%s) options='", p->table[i].name);
		options(&p->table[i], to);
		sb_cstr(to, "' ;;\n");
	}
	sb_printf(to,
	          "\tesac\n\tcase $word in\n"
	          "\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
	          "\t*) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n\tesac\n}\n"
	          "complete -o filenames -F _%s %s\n",
	          function.p, p->name);
	sb_free(&function);
}

/* Help texts may contain a single quote, which would end a quoted shell word. */
static void quoted(struct sb *to, const char *text, const char *escaped)
{
	for (; *text; text++)
		if (*text == '\'')
			sb_cstr(to, escaped);
		else
			sb_char(to, *text);
}

static void zsh(const struct cmd_program *p, struct sb *to)
{
	sb_printf(
	        to,
	        "#compdef %s\n# zsh completion: put this file, named _%s, into a folder of $fpath\n"
	        "local -a commands=(\n",
	        p->name, p->name);
	for (int i = 0; i < p->n; i++) {
		sb_printf(to, "\t'%s:", p->table[i].name);
		quoted(to, p->table[i].help, "'\\''");
		sb_cstr(to, "'\n");
	}
	sb_cstr(to, ")\nif (( CURRENT == 2 )); then\n\t_describe command commands\n\treturn\nfi\n"
	            "case $words[2] in\n");
	for (int i = 0; i < p->n; i++) {
		sb_printf(to, "%s) _arguments", p->table[i].name);
		for (const struct cmd_option *o = p->table[i].options; o && o->name; o++) {
			sb_printf(to, " '--%s%s[", o->name, o->value ? "=" : "");
			quoted(to, o->help, "'\\''");
			sb_printf(to, "]%s%s'", o->value ? ":" : "", o->value ? o->value : "");
		}
		sb_cstr(to, " '*:file:_files' ;;\n");
	}
	sb_cstr(to, "esac\n");
}

static void fish(const struct cmd_program *p, struct sb *to)
{
	sb_printf(to, "# fish completion: put this file into ~/.config/fish/completions/%s.fish\n",
	          p->name);
	for (int i = 0; i < p->n; i++) {
		const struct cmd *c = &p->table[i];
		sb_printf(to, "complete -c %s -n __fish_use_subcommand -f -a %s -d '", p->name,
		          c->name);
		quoted(to, c->help, "\\'");
		sb_cstr(to, "'\n");
		for (const struct cmd_option *o = c->options; o && o->name; o++) {
			sb_printf(to,
			          "complete -c %s -n '__fish_seen_subcommand_from %s' -l %s%s -d '",
			          p->name, c->name, o->name, o->value ? " -r" : "");
			quoted(to, o->help, "\\'");
			sb_cstr(to, "'\n");
		}
	}
}

static const struct {
	const char *name;
	void (*write)(const struct cmd_program *p, struct sb *to);
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

bool cmd_completion(const struct cmd_program *p, const char *shell, struct sb *to)
{
	for (size_t i = 0; i < ARRAY_LEN(shells); i++) {
		if (strcmp(shells[i].name, shell) == 0) {
			shells[i].write(p, to);
			return true;
		}
	}
	return false;
}
