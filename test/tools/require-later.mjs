// The library is imported by every test file, and most want a world: what only some of its functions need is loaded by them
// (docs/decisions/0010-compiled-ahead.md).

const requirement = /^const (require_[\w$]+) = (require\("[^"\n]+"\));$/gm;

/** Code of the bundler in which other files of the bundle are required where they are first used, not at the beginning. */
export function requireLater(code) {
  const names = new Set(Array.from(code.matchAll(requirement), ([, name]) => name));
  const used = code.replace(/\b(require_[\w$]+)(?=\.)/g, (name) => (names.has(name) ? `${name}()` : name));
  return used.replace(
    requirement,
    (_whole, name, required) => `let made_${name};\nconst ${name} = () => (made_${name} ??= ${required});`,
  );
}
