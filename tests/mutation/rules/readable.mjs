// Figures without a finding, curves over one x, too many colours: refused where an author writes
// them. The finding's numbers are numbers of the page.
import { ABOUT } from "../site.mjs";
import { refuse } from "../expect.mjs";

const says = (name, text) => ({
  name,
  expect: refuse("readable"),
  apply: (m) => m.repo.edit(ABOUT, (t) => `${t}\n${text}\n`),
});
const untitled = (inside) => says(`no title: ${inside}`, `<<bench:${inside}>>`);
const blank = (inside) => says(`an empty title: ${inside}`, `<<bench:${inside} title="  ">>`);
const oneX = (x, more) => says(`one ${x}`, `<<bench:plot transpose/* x=${x} ${more} title="Tiles win">>`);

export default [
  untitled("plot transpose/* x=rows"),
  untitled("plot transpose/* x=bytes"),
  untitled("plot transpose/* x=working-set"),
  untitled("plot transpose/tile x=rows series=rows"),
  untitled("plot transpose/* rows=16384"),
  untitled("plot transpose/* rows=16384 program=bar"),
  untitled("plot transpose/* x=rows roof=none"),
  untitled("plot transpose/* x=rows log=none"),
  untitled("roofline transpose/*"),
  untitled("roofline transpose/* rows=16384"),
  untitled("samples transpose/tile"),
  untitled("samples transpose/* rows=16384"),
  untitled("history transpose/tile rows=16384"),
  blank("plot transpose/* x=rows"),
  blank("roofline transpose/*"),
  blank("samples transpose/tile"),
  blank("history transpose/tile rows=16384"),
  oneX("rows", "rows=16384"),
  oneX("rows", "rows=4096"),
  oneX("cols", "rows=16384"),
  oneX("bytes", "rows=16384"),
  oneX("working-set", "rows=4096"),
  ...["", "focus=a,b,c,d,e,f,g", "focus=*"].map((focus) =>
    says(`seven colours ${focus}`, `<<bench:plot ${"transpose/tile ".repeat(4)}${"transpose/naive ".repeat(3)}x=rows ${focus} names="a; b; c; d; e; f; g" title="Tiles win">>`)),
];
