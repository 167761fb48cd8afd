import { phraseIn } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import { clientPort } from '../../corrections/network/protocol-port.ts';
import { prepareDatabase } from '../../corrections/command/migration.ts';
import { unmountedSocket } from '../../corrections/files/unmounted-socket.ts';
import { switchedOn } from '../../corrections/network/tls.ts';
import { madeUpScheme } from '../../corrections/network/scheme.ts';
import { withoutServiceLinks } from '../../corrections/settings/service-links.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { hostOfImage } from '../../corrections/settings/host-of-image.ts';
import { code } from '../../rendering/quote.ts';
import { type Explained, OF_SETTINGS } from './explained.ts';

/** A setting that a program made of the variable of a Service: `PORT.7687.TCP.PROTO`. */
const OF_SERVICE =
  /((?:unrecogni[sz]ed|unknown|no declared|invalid|unsupported|not a valid)\b.{0,120}\b(?:PORT[._]\d{1,5}[._](?:TCP|UDP)(?:_(?:ADDR|PORT|PROTO))?|SERVICE[._](?:HOST|PORT)|setting with name: PORT)\b.{0,100})/i;

/** A setting that the program made of a Service variable, anywhere in the log. */
export function ofServiceVariable({ input, meaning }: Explained): Meaning | undefined {
  const said = foundInLogs(input.subject, OF_SERVICE);
  const place = input.place();
  return said === '' || !place || place.spec.enableServiceLinks === false
    ? undefined
    : {
        ...meaning,
        because: `Kubernetes sets variables for each Service, and the program takes one for a setting: ${code(said, 160)}`,
        culprit: `enableServiceLinks: ${said}`.slice(0, 200),
        advice: ['Switch the variables of Services off.'],
        corrections: [withoutServiceLinks(place)],
        whereToLook: 'the Services of the namespace whose name begins the name of the variable',
      };
}

/** A host that no setting names, where a well-known image reads another variable than the one with the host. */
export function ofHost({ input, log, meaning }: Explained): Meaning | undefined {
  const found = /^(?:name-unknown|connection-|no-connection)/.test(log.signature.id) ? hostOfImage(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`The image reads ${code(found.wanted)}, and not ${code(found.name)}.`],
      corrections: [found.correction],
    }
  );
}

/** What programs say of a server that speaks another protocol. */
const OTHER_PROTOCOL =
  /handshake|protocol|unexpected (?:EOF|response|packet|message|frame|character)|(?:socket|connection) (?:was )?(?:closed|reset)|closed (?:the )?connection|reset by peer|invalid (?:response|frame|packet)|malformed|bad (?:request|response)|\bHTTP\/1\.[01] 4|unknown command [`'"]?\w{2,20}[`'"]?,? with args|no servers available|server preface|frame too large|SSL listener\?/i;

/** A port of a server that is not for clients, where the line shows that the server speaks another protocol. */
export function ofOtherPort({ input, log, meaning }: Explained): Meaning | undefined {
  const other = OTHER_PROTOCOL.test(log.line) ? clientPort(input, log.line) : undefined;
  return (
    other && {
      ...meaning,
      culprit: `${other.name} with port ${other.port}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`Port ${other.port} is not for clients. Use the port at which the server speaks the protocol of the program.`],
      corrections: [other.correction],
    }
  );
}

/** An address whose scheme is the name of a server. */
export function ofMadeUpScheme({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found = log.signature.general === true || inCode || OF_SETTINGS.test(log.signature.id) ? madeUpScheme(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.address} (${meaning.culprit ?? phraseIn(log.line)})`,
      advice: ['No server has this scheme.'],
      corrections: found.corrections,
    }
  );
}

/** What programs say of a server that they do not reach. */
const NOT_REACHED = /connect|deadline exceeded|timed? ?out|dial|transport|unavailable|no such file/i;

/** A socket that another container of the pod has and this one does not mount. */
export function ofSocket({ input, log, meaning }: Explained): Meaning | undefined {
  const found = NOT_REACHED.test(log.line) ? unmountedSocket(input) : undefined;
  return (
    found && {
      ...meaning,
      because: `nothing is at ${code(found.socket)}, which ${code(found.name)} names`,
      culprit: `${found.name}=${found.socket}`,
      advice: ['Mount the folder of the socket into this container, and name it as it is mounted here.'],
      corrections: found.corrections,
    }
  );
}

/** A database that nobody has prepared, where the line names the command that does. */
export function ofDatabase({ input, log, meaning }: Explained): Meaning | undefined {
  const found = prepareDatabase(input, log.line);
  return found && { ...meaning, advice: [`Run ${code(found.command)} before the program starts.`], corrections: [found.correction] };
}

/** A client without TLS at a port with TLS, where the server closes the connection. */
export function ofSwitchedOffTls({ input, log, meaning }: Explained): Meaning | undefined {
  const found = switchedOn(input, log.line);
  return (
    found && {
      ...meaning,
      culprit: `${found.name}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: ['Let the client speak TLS, or call the port without it.'],
      corrections: [found.correction],
    }
  );
}
