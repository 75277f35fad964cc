// node --import …/planted.mjs with PLANTED=lost-event|hopeful|unguarded: a kadmit on etcd with a fault, for showing that shared.mjs notices.
import { Client, status } from '@grpc/grpc-js';

const fault = process.env['PLANTED'];
const unary = Reflect.get(Client.prototype, 'makeUnaryRequest');
const stream = Reflect.get(Client.prototype, 'makeBidiStreamRequest');
let told = 0;

/** Of every hundred answers of a watch one loses its events. */
if (fault === 'lost-event') {
  Client.prototype.makeBidiStreamRequest = function (path, serialize, deserialize, ...rest) {
    const forgetful = (bytes) => {
      const response = deserialize(bytes);
      if (response.events.length > 0) told += 1;
      return told % 100 === 99 && response.events.length > 0 ? { ...response, events: [] } : response;
    };
    return Reflect.apply(stream, this, [path, serialize, forgetful, ...rest]);
  };
}

/** What nobody answered is taken to be done. */
if (fault === 'hopeful') {
  Client.prototype.makeUnaryRequest = function (path, ...args) {
    const answer = args.pop();
    const done = { header: { revision: '1' }, succeeded: true, responses: [] };
    const heard = (error, value) =>
      error?.code === status.UNAVAILABLE && path.endsWith('/Txn') ? answer(null, done) : answer(error, value);
    return Reflect.apply(unary, this, [path, ...args, heard]);
  };
}

/** A write does not look whether somebody else wrote since. */
if (fault === 'unguarded') {
  Client.prototype.makeUnaryRequest = function (...args) {
    return Reflect.apply(unary, this, args.with(3, { ...args[3], compare: [] }));
  };
}
