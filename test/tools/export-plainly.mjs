// What files of the bundle export to each other, as fields rather than functions (docs/decisions/0013-plain-exports.md).

const getter =
  /^Object\.defineProperty\(exports, "([\w$]+)", \{\n\tenumerable: true,\n\tget: function\(\) \{\n\t\treturn ([\w$]+);\n\t\}\n\}\);$/gm;

/** What has its value once the file was run, and no other one later. */
const declaration = /^(?:const|(?:async )?function\*?|class) ?([\w$]+)\b|^var ([\w$]+) = class\b/gm;

/**
 * Code of the bundler in which `exports.a = a` stands for each function that only returns the constant `a`: it stands at the
 * end of its file, where `a` is known.
 */
export function exportPlainly(code) {
  const fixed = new Set(Array.from(code.matchAll(declaration), ([, name, ofClass]) => name ?? ofClass));
  return code.replace(getter, (whole, exported, name) => (fixed.has(name) ? `exports.${exported} = ${name};` : whole));
}
