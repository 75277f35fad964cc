const names = { 'example.com/v1': 'colour', 'example.com/v2': 'color' };

/** Gives the field the name that the wanted version has for it. */
export default ({ request: { objects, desiredAPIVersion } }) =>
  objects.map(({ apiVersion, spec, ...object }) => {
    const { [names[apiVersion]]: colour, ...others } = spec;
    return { ...object, apiVersion: desiredAPIVersion, spec: { ...others, [names[desiredAPIVersion]]: colour } };
  });
