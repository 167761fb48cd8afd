const HOST = String.raw`([\w](?:[\w-]{0,62})(?:\.[\w-]{1,63}){0,8})`;

/** Patterns that find the host in a line about an unknown name; the first match wins. */
const HOSTS: readonly RegExp[] = [
  new RegExp(String.raw`(?:ENOTFOUND|EAI_AGAIN) ${HOST}`),
  new RegExp(String.raw`\blookup (?:host )?(?!(?:error|failed|failure|host|address information)\b)${HOST}`),
  new RegExp(
    String.raw`(?:host name|server can't find|(?:(?:could not|cannot|can't|unable to) )?resolve(?: host(?: ?name)?| proxy| address(?: of)?)?|unknown host|UnknownHostException|bad address|in upstream|server host|find host|address for|address of):? {0,2}(?!(?:name|of)(?: |$))['"\`(]?${HOST}`,
    'i',
  ),
  new RegExp(String.raw`\b(?:connect|dial) ?\(${HOST}(?=:\d{1,5}\))`),
  new RegExp(String.raw`\bhost=['"]${HOST}`),
  new RegExp(String.raw`\bserver (?:on|at) ['"\`]${HOST}['"\`]`),
  new RegExp(String.raw`\w:\/\/(?:[^\s@/]{1,80}@)?${HOST}`),
  new RegExp(String.raw`\b(?:on|at) ['"\`(]?(?=[A-Za-z])${HOST}(?=:\d{2,5}\b)`),
  new RegExp(
    // "Failed to make a request" names no server.
    String.raw`(?:connect(?:ing|ion)? to|server at|for host|at|host|(?<!\b(?:failed|unable|able|trying|attempting|error) )to|for) ['"\`(]?(?!(?:lookup|look|resolve|connect|find|get|the)\b)${HOST}(?=['"\`)]?(?::\d{1,5})?(?:[\s,:;]|$))`,
    'i',
  ),
];

/** Patterns that find address and port in a line about a connection; the first match wins. */
const ADDRESSES: readonly RegExp[] = [
  /(?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH) (\[?[\w.:-]{1,253}\]?:\d{1,5})/,
  /dial tcp:? (?:lookup )?(\[?[\w.:-]{1,253}\]?:\d{1,5})/,
  /\w:\/\/(?:[^\s@/]{1,80}@)?([\w.-]{1,253}:\d{1,5})/,
  /(?:^|[\s'"`(=[@])(?!(?:on|at|port|to|for|is):)(?![\w.-]{1,80}\.(?:go|py|js|ts|rb|rs|java|kt|cc|cpp|cs|php|exs?|erl|scala):)([A-Za-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,8}:\d{2,5})(?=[\s'"`)\],.;:/]|$)/,
  /(?:^|[\s'"`(=[@/])(\d{1,3}(?:\.\d{1,3}){3}:\d{1,5})(?=[\s'"`)\],.;:/]|$)/,
];

/** The host that a line cannot resolve, empty when it names none. */
export function hostIn(line: string): string {
  const host = firstGroup(HOSTS, line);
  // "Connecting to CSI driver": an abbreviation is not the name of a server.
  return /^[A-Z]{2,8}$/.test(host) ? '' : host;
}

/** `host:port` of a line about a connection, empty when it names none. A separate host and port are joined. */
export function addressIn(line: string): string {
  const apart =
    /(?:host|server (?:on|at)|connect to) ['"`]?([\w.-]{1,253})['"`]?[^\n]{0,60}?\bport[ =:]{1,2}(\d{1,5})/i.exec(line) ??
    /['"`]([\w.-]{1,253})['"`]:['"`](\d{1,5})['"`]/.exec(line);
  return apart ? `${apart[1]}:${apart[2]}` : firstGroup(ADDRESSES, line);
}

function firstGroup(patterns: readonly RegExp[], line: string): string {
  for (const pattern of patterns) {
    const found = pattern.exec(line);
    if (found?.[1]) return found[1];
  }
  return '';
}
