export const loadVerbs = ['create', 'update', 'patch', 'delete'] as const;
export type LoadVerb = (typeof loadVerbs)[number];
export type Mix = Readonly<Record<LoadVerb, number>>;

export type MixReading =
  | { readonly outcome: 'read'; readonly mix: Mix }
  | { readonly outcome: 'wrong'; readonly problem: string };

/** `create=2,patch=1`: shares of the requests; verbs without a share are not used. */
export function readMix(text: string): MixReading {
  const mix: Record<LoadVerb, number> = { create: 0, update: 0, patch: 0, delete: 0 };
  for (const part of text.split(',')) {
    const { name, share } = /^(?<name>\w+)=(?<share>\d{1,4})$/.exec(part.trim())?.groups ?? {};
    const verb = loadVerbs.find((one) => one === name);
    if (verb === undefined || share === undefined)
      return { outcome: 'wrong', problem: `is not a mix: write shares such as create=2,update=1,patch=1,delete=1` };
    mix[verb] = Number(share);
  }
  if (mix.create === 0) return { outcome: 'wrong', problem: 'has no create: the other verbs need created objects' };
  return { outcome: 'read', mix };
}

/** `draw` is from 0 to 1. */
export function drawVerb(mix: Mix, draw: number): LoadVerb {
  const total = loadVerbs.reduce((sum, verb) => sum + mix[verb], 0);
  let left = draw * total;
  for (const verb of loadVerbs) {
    left -= mix[verb];
    if (left < 0) return verb;
  }
  return 'create';
}
