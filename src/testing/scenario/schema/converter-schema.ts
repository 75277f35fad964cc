import { listOf, reference, text } from './common.ts';
import type { SchemaNode } from './schema-node.ts';
import { backendFields } from './webhook-schema.ts';

/** `converters`: who converts the objects of custom resources. */
export const convertersSchema: SchemaNode = listOf(
  'Who converts the objects of custom resources. A definition that is loaded and names no converter gets this one.',
  {
    type: 'object',
    required: ['definition'],
    additionalProperties: false,
    properties: {
      definition: text(
        'The name of the CustomResourceDefinition; a step configures it under this name.',
        'widgets.example.com',
      ),
      does: {
        description:
          'How: nothing changes the apiVersion alone. `script` names a file whose default export takes the ' +
          'ConversionReview and returns the list of converted objects (or its `response`); `deny` fails with this message.',
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: {
          script: text('A JavaScript or TypeScript file.', './convert.ts'),
          deny: text('What the answer says went wrong.', 'v2 has no such field'),
        },
      },
      faults: reference('faults', 'What goes wrong with the converter, and when.'),
      to: backendFields.to,
    },
  },
);
