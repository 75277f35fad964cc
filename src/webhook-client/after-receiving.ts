/**
 * Ends streams and connections when Node has read what came in. While it does, ending two HTTP/2 streams, or a session,
 * makes it use memory that it has freed, and the process may end (nodejs/node#64113, nodejs/node#64850).
 */
export const afterReceiving = (end: () => void): void => void setImmediate(end);
