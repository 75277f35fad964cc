import {
  callNumbers,
  choice,
  duration,
  names,
  oneOrMore,
  probability,
  reference,
  type SchemaNode,
  text,
} from './common.ts';

const delay = (description: string): SchemaNode => ({
  description: `${description} A time, \`{from: 1s, to: 3s}\` (evenly) or \`{median: 1s, sigma: 0.5}\` (log-normal).`,
  anyOf: [
    duration(''),
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        from: duration('The shortest.'),
        to: duration('The longest.'),
        median: duration('Half of the calls take longer.'),
        sigma: { type: 'number', description: 'How far they spread.', minimum: 0, default: 0.5 },
      },
      dependencies: { from: ['to'], to: ['from'], sigma: ['median'] },
      minProperties: 1,
    },
  ],
});

const happens = (description: string): SchemaNode => ({ type: 'boolean', enum: [true], description });

export const faultKinds: Readonly<Record<string, SchemaNode>> = {
  delay: delay('Answers so much later.'),
  hang: happens('Takes the connection and never answers.'),
  refuse: happens('Refuses the connection.'),
  reset: happens('Takes the connection and resets it.'),
  slowBody: delay('Sends the headers at once and the body so much later.'),
  status: {
    description: 'Answers with this HTTP code instead of an AdmissionReview.',
    anyOf: [
      { type: 'integer', minimum: 200, maximum: 599, examples: [503] },
      {
        type: 'object',
        properties: {
          code: { type: 'integer', description: 'The HTTP code.', minimum: 200, maximum: 599, examples: [503] },
          body: text('The body of the answer.', 'upstream connect error'),
        },
        required: ['code'],
        additionalProperties: false,
      },
    ],
  },
  garbage: {
    description: 'Answers 200 with something that is no AdmissionReview: this text.',
    anyOf: [
      { type: 'boolean', enum: [true] },
      { type: 'string' },
      {
        type: 'object',
        properties: {
          body: text('The body of the answer.', '<html>'),
          contentType: text('The Content-Type of the answer.', 'text/html'),
        },
        additionalProperties: false,
      },
    ],
  },
  wrongUid: happens('Answers with another uid than the request.'),
  wrongVersion: happens('Answers with another apiVersion than the request.'),
  badPatch: happens('Answers with a patch that cannot be applied.'),
  tls: choice('What is wrong with its certificate or its TLS.', ['expired', 'wrongName', 'unknownCA', 'oldProtocol']),
  dns: choice('Its name cannot be looked up.', ['fail']),
};

const words = ['hang', 'refuse', 'reset', 'garbage', 'wrongUid', 'wrongVersion', 'badPatch', 'dns'];

/** Faults that need a value. */
const otherForms = [
  'delay: 5s',
  'slowBody: 5s',
  'status: 503',
  'tls: expired',
  'tls: wrongName',
  'tls: unknownCA',
  'tls: oldProtocol',
];

const faultMapping: SchemaNode = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    ...faultKinds,
    calls: callNumbers(
      'Only at these calls of the webhook, counted from 1: `1`, `[1, 3]` or `2-4`. Without it at every call.',
    ),
    probability,
    namespaces: names('Only for requests in these namespaces.', 'shop'),
  },
};

export const faultSchema: SchemaNode = {
  description: 'One thing that goes wrong, and when.',
  anyOf: [{ type: 'string', enum: words, otherForms }, faultMapping],
};

/** For the matrix axis `fault`. */
export const faultOrNoneSchema: SchemaNode = {
  anyOf: [{ type: 'string', enum: ['none', ...words], otherForms }, faultMapping],
};

export const faultsSchema: SchemaNode = {
  ...oneOrMore(
    'What goes wrong with the webhook: one fault, or several of which the first that is due happens at each call.',
    faultSchema,
    reference('fault'),
  ),
  examples: ['hang', { delay: '5s', calls: [1] }, { status: 503, probability: 0.5 }],
};
