import { anyObject, jsonPatch, oneOrMore, reference, type SchemaNode, text, textMap } from './common.ts';

const deny: SchemaNode = {
  description: 'Refuses the request: `true`, the message, or a mapping. It ends what the webhook does.',
  anyOf: [
    { type: 'boolean', enum: [true] },
    { type: 'string', examples: ['privileged Pods are not allowed'] },
    {
      type: 'object',
      properties: {
        message: text(
          'What the client reads after `admission webhook "…" denied the request: `.',
          'privileged Pods are not allowed',
        ),
        code: {
          type: 'integer',
          description: 'The HTTP code; without one the API server answers 400.',
          minimum: 0,
          maximum: 599,
          examples: [403],
        },
        reason: text('The reason of the Status.', 'Forbidden'),
      },
      additionalProperties: false,
    },
  ],
};

export const behaviourSchema: SchemaNode = {
  description: 'One thing a stub does; a mapping does its entries in order.',
  anyOf: [
    {
      type: 'string',
      enum: ['allow', 'deny', 'echo'],
      otherForms: [
        'deny: TEXT',
        'label: {a: b}',
        'annotate: {a: b}',
        'sidecar: {name: …}',
        'initContainer: {name: …}',
        'set: {path: …}',
        'patch: […]',
        'warn: TEXT',
        'audit: {a: b}',
        'script: FILE',
      ],
    },
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: {
        allow: {
          type: 'boolean',
          enum: [true],
          otherForms: ['deny: TEXT'],
          description: 'Allows the request. So does a stub that does nothing.',
        },
        deny,
        label: textMap('Sets these labels.'),
        annotate: textMap('Sets these annotations.'),
        sidecar: anyObject(
          'Adds this container to a Pod, or to the Pod template of a workload, unless one of that name is there.',
          { name: 'proxy', image: 'envoy' },
        ),
        initContainer: anyObject('The same with an init container (with `restartPolicy: Always` a native sidecar).', {
          name: 'proxy',
          image: 'envoy',
          restartPolicy: 'Always',
        }),
        set: {
          type: 'object',
          description: 'Sets fields by their paths; what is missing on the way is made.',
          examples: [{ 'spec.hostNetwork': false }],
        },
        patch: jsonPatch('Answers with this JSON patch.'),
        warn: oneOrMore('Answers with these warnings.', { type: 'string' }),
        audit: textMap('Answers with these audit annotations.'),
        echo: {
          type: 'boolean',
          enum: [true],
          description: 'Gives back what it was sent: as a warning and an audit annotation.',
        },
        script: text(
          'A JavaScript or TypeScript file whose default export takes the AdmissionReview and returns its `response` ' +
            '(`uid` may be left out; nothing at all allows), or the code itself in several lines (`script: |`). What it throws ' +
            'becomes a 500.',
          './hook.ts',
        ),
      },
    },
  ],
};

export const behavioursSchema: SchemaNode = {
  ...oneOrMore(
    'What a stub does with each review: one thing, or several one after the other. Their patches are one patch.',
    behaviourSchema,
    reference('behaviour'),
  ),
  examples: ['allow', { deny: 'not today' }, { label: { team: 'a' } }],
};
