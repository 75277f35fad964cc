import type { JsonObject } from '../../machinery/json/json.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { createRecent } from '../../machinery/recent.ts';

/**
 * An item of a list as Go prints it in JSON, behind a comma: bytes that are kept for the next list, or a text. What is
 * written once is not kept, since most lists are not asked for again, and what is short is written as fast as it is found.
 */
export function itemText(item: JsonObject): Buffer | string {
  const known = kept.get(item);
  if (known !== undefined && known !== once) return known;
  const text = `,${writeJsonForGo(item)}`;
  if (text.length < shortText) return text;
  const bytes = known === once ? Buffer.from(text) : once;
  kept.put(item, bytes);
  return bytes === once ? text : bytes;
}

const shortText = 1024;

/** What stands for a text that was written once. */
const once = Buffer.alloc(0);

/** Bytes of all texts: a list of 10,000 Pods. */
const mostBytes = 128 * 1024 * 1024;
/** About what it takes to remember that one was written. */
const bytesOfEntry = 32;

const kept = createRecent<Buffer>(mostBytes, (bytes) => bytes.length + bytesOfEntry);
