const atom = String.raw`[\p{L}\p{N}!#$%&'*+\-/=?^_\x60{|}~]+`;
const dotAtom = `${atom}(?:\\.${atom})*`;
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const address = new RegExp(`^(?:${dotAtom}|${quoted})@(?:${dotAtom}|\\[[^\\]]+\\])$`, 'u');
const longest = 1000;

/** An address as Go's net/mail reads it: `a@b`, also with a name before it: `A <a@b>`. */
export function isEmail(text: string): boolean {
  if (text.length > longest) return false;
  const [, name, angled] = /^\s*([^<>]*?)\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  if (angled === undefined) return address.test(text.trim());
  return address.test(angled.trim()) && isPhrase(name ?? '');
}

/** A name: words, quoted if they have other characters. */
const isPhrase = (name: string): boolean =>
  name === '' || new RegExp(`^(?:${quoted}|${atom}|\\.)(?:\\s*(?:${quoted}|${atom}|\\.))*$`, 'u').test(name);
