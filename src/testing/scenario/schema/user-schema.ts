import { names, type SchemaNode, text } from './common.ts';

const username = text('The name it has for the server.', 'alice@example.com');

const fields: Readonly<Record<string, SchemaNode>> = {
  groups: names('Its groups; `system:authenticated` is added, as a server does.', 'devs'),
  uid: text('Its UID, `userInfo.uid` of a review.', '42'),
  extra: { type: 'object', description: 'Its extra fields.', additionalProperties: names('') },
};

export const namedUserSchema: SchemaNode = {
  type: 'object',
  description: 'The name it has for the server is the key, unless `username` says another.',
  properties: { username, ...fields },
  additionalProperties: false,
};

export const userSchema: SchemaNode = {
  description:
    'The user of the request: a name of `users`, any other user name (`system:serviceaccount:shop:builder`), or a user. Without ' +
    'it kubernetes-admin, who may do everything.',
  examples: ['alice', 'system:serviceaccount:default:default'],
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: { username, ...fields },
      required: ['username'],
      additionalProperties: false,
    },
  ],
};
