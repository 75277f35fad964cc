const shortText = 32 * 1024;

/** One part of so many is looked at. */
const share = 8;
const part = 2 * 1024;

/** As a member of an object, measured. */
const bytesOfValue = 96;

/**
 * About how many bytes of memory a JSON or YAML text takes once parsed: its values, and the text, which its substrings
 * keep alive.
 */
export const estimateParsedBytes = (text: Uint8Array): number => 3 * text.length + valuesIn(text) * bytesOfValue;

/** About how many values a long text has; those of a short one do not count. */
function valuesIn(text: Uint8Array): number {
  if (text.length < shortText) return 0;
  let [commas, lines] = [0, 0];
  for (let start = 0; start < text.length; start += share * part) {
    const end = Math.min(start + part, text.length);
    for (let at = start; at < end; at += 1) {
      if (text[at] === 0x2c) commas += 1;
      else if (text[at] === 0x0a) lines += 1;
    }
  }
  return share * Math.max(commas, lines);
}
