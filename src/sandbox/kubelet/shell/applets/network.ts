import type { Network } from '../../machine.ts';
import type { Applet, Call } from './call.ts';

const nslookup: Applet = (call, [name = '']) => {
  const address = call.machine.network.lookup(name);
  call.streams.out('Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n');
  if (!address) {
    call.streams.out(`** server can't find ${name}: NXDOMAIN\n\n** server can't find ${name}: NXDOMAIN\n\n`);
    return 1;
  }
  call.streams.out(`Name:\t${name}\nAddress: ${address}\n\n`);
  return 0;
};

const wget: Applet = async (call, args) => {
  const { err } = call.streams;
  const address = args.find((a, i) => !a.startsWith('-') && !['-O', '-T', '-t', '-P'].includes(args[i - 1] ?? '')) ?? '';
  const match = /^(?:http:\/\/)?([^/:]+)(?::(\d+))?(\/.*)?$/.exec(address);
  const [host, port, path] = [match?.[1] ?? '', Number(match?.[2] ?? 80), match?.[3] ?? '/'];
  const ip = /^[\d.]+$/.test(host) ? host : host === 'localhost' ? '127.0.0.1' : call.machine.network.lookup(host);
  const isQuiet = args.some((a) => /^-[a-zA-Z]*q/.test(a));
  if (!ip) {
    err(`wget: bad address '${host}'\n`);
    return 1;
  }
  if (!isQuiet) err(`Connecting to ${host}${match?.[2] ? `:${port}` : ''} (${ip}:${port})\n`);
  return fetched(call, args, { ip, answer: call.machine.network.get(ip, port, path) });
};

/** wget's output and exit code for an answer, or for no answer. */
async function fetched(call: Call, args: string[], { ip, answer }: { ip: string; answer: ReturnType<Network['get']> }): Promise<number> {
  const { err, out } = call.streams;
  if (answer === 'timeout') {
    const seconds = Number(args[args.indexOf('-T') + 1] ?? 0);
    await call.machine.sleep((args.includes('-T') ? seconds : 900) * 1000);
    err('wget: download timed out\n');
    return 1;
  }
  if (answer === 'refused') {
    err(`wget: can't connect to remote host (${ip}): Connection refused\n`);
    return 1;
  }
  if (answer.status >= 400) {
    err(`wget: server returned error: HTTP/1.1 ${answer.status} ${answer.body.trim()}\n`);
    return 1;
  }
  if (args.some((a) => /^-[a-zA-Z]*O-?$/.test(a))) out(answer.body);
  return 0;
}

const nc: Applet = (call, args) => {
  const [host = '', port = '0'] = args.filter((a, i) => !a.startsWith('-') && args[i - 1] !== '-w');
  const ip = /^[\d.]+$/.test(host) ? host : call.machine.network.lookup(host);
  if (!ip) {
    call.streams.err(`nc: bad address '${host}'\n`);
    return 1;
  }
  const answer = call.machine.network.get(ip, Number(port), '/');
  if (typeof answer !== 'string') return 0;
  call.streams.err(`nc: can't connect to remote host (${ip}): ${answer === 'refused' ? 'Connection refused' : 'Connection timed out'}\n`);
  return 1;
};

/** Programs that ask others. */
export const NETWORK: Record<string, Applet> = { nc, nslookup, wget };
