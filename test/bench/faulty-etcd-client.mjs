// node --import …/faulty-etcd-client.mjs with PLANTED=lost-event|hopeful|unguarded: a kadmit on etcd with a fault, to show that shared.mjs detects it.
import http2 from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';

const fault = process.env['PLANTED'];
const connect = http2.connect;
let messages = 0;

/** Loses one of every hundred chunks of a watch that are one complete message. */
function forgetful(stream) {
  const on = stream.on;
  stream.on = function (event, listener) {
    if (event !== 'data') return Reflect.apply(on, this, [event, listener]);
    return Reflect.apply(on, this, [
      event,
      (chunk) => {
        const isComplete = chunk.length > 5 && chunk.length === 5 + chunk.readUInt32BE(1);
        if (isComplete) messages += 1;
        if (!isComplete || messages % 100 !== 99) listener(chunk);
      },
    ]);
  };
}

/** Treats a transaction without a response as done: TxnResponse { header { revision: 1 } succeeded: true } */
function hopeful(stream) {
  const on = stream.on;
  const listeners = {};
  stream.on = function (event, listener) {
    listeners[event] = listener;
    if (event !== 'close') return Reflect.apply(on, this, [event, listener]);
    return Reflect.apply(on, this, [
      event,
      () => {
        if (stream.rstCode !== 0) {
          listeners.data(Buffer.from([0, 0, 0, 0, 6, 0x0a, 0x02, 0x18, 0x01, 0x10, 0x01]));
          listeners.trailers({ 'grpc-status': '0' });
        }
        listener();
      },
    ]);
  };
}

/** Removes the comparisons, which precede the writes of a transaction: a write does not detect a concurrent one. */
function unguarded(stream) {
  const write = stream.write;
  stream.write = function (frame, ...rest) {
    let message = frame.subarray(5);
    while (message[0] === 0x0a) {
      let [length, at] = [message[1] & 0x7f, 1];
      for (let factor = 128; message[at] >= 0x80; factor *= 128) length += (message[(at += 1)] & 0x7f) * factor;
      message = message.subarray(at + 1 + length);
    }
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    return Reflect.apply(write, this, [Buffer.concat([head, message]), ...rest]);
  };
}

const faults = {
  'lost-event': ['/etcdserverpb.Watch/Watch', forgetful],
  hopeful: ['/etcdserverpb.KV/Txn', hopeful],
  unguarded: ['/etcdserverpb.KV/Txn', unguarded],
};
const [path, plant] = faults[fault];

http2.connect = (...args) => {
  const session = connect(...args);
  const request = session.request.bind(session);
  session.request = (headers, ...rest) => {
    const stream = request(headers, ...rest);
    if (headers[':path'] === path) plant(stream);
    return stream;
  };
  return session;
};
syncBuiltinESMExports();
