/** The response of a webhook that allows with these operations of a JSON patch. */
export const changed = (operations) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

/** The response of a webhook that refuses with this message. */
export const refused = (message, code = 403) => ({ allowed: false, status: { code, message } });

export const allowed = { allowed: true };

/** Operations that add an item to the list of this name in the spec of a Pod, at its end or at its beginning; none when one of its name is there. */
export function added(spec, list, item, where = 'last') {
  const items = spec[list];
  if (items === undefined) return [{ op: 'add', path: `/spec/${list}`, value: [item] }];
  if (items.some(({ name }) => name === item.name)) return [];
  return [{ op: 'add', path: `/spec/${list}/${where === 'first' ? 0 : '-'}`, value: item }];
}

/** Operations that give each container of a Pod a variable that it does not have. */
export const variables = (spec, variable) =>
  spec.containers.flatMap(({ env }, at) => {
    if (env === undefined) return [{ op: 'add', path: `/spec/containers/${at}/env`, value: [variable] }];
    if (env.some(({ name }) => name === variable.name)) return [];
    return [{ op: 'add', path: `/spec/containers/${at}/env/-`, value: variable }];
  });
