/** A JSON text as `-o json` or `-o yaml` wants it; whole numbers keep all their digits. */
export async function structured(output: 'json' | 'yaml', json: string): Promise<string> {
  if (output === 'json') return json;
  const { parse, stringify } = await import('yaml');
  return stringify(parse(json, { intAsBigInt: true })).trimEnd();
}
