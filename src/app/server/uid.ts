import { randomUUID } from 'node:crypto';

/** A random UUID in one piece. What randomUUID returns keeps the twenty texts that it was joined of. */
export const newUid = (): string => Buffer.from(randomUUID(), 'latin1').toString('latin1');
