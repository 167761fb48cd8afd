import { fieldPath } from '../../../crd/field-path.ts';
import { parseImage } from '../../../crd/image.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { givenIn, setTo } from '../given-values.ts';
import type { Correction } from '../correction.ts';

/** A tag that begins with a version: `16.2-alpine`, `v7`, `8-jre17`. */
const TAG = /^(v?)(\d{1,4}(?:\.\d{1,6}){0,3})((?:-[\w.-]{1,60})?)$/;

/** Images that have a tag for each version of their software. */
const OFFICIAL =
  /(?:^|\/)(?:postgres|mysql|mariadb|mongo|redis|valkey|neo4j|gitea|cassandra|rabbitmq|influxdb|elasticsearch|opensearch|zookeeper|solr|couchdb|nexus3|keycloak|grafana|nextcloud|meilisearch|qdrant|typesense|weaviate)$/;

/** A version in numbers alone. */
const VERSION = /^\d{1,4}(?:\.\d{1,6}){0,3}$/;

/** The version with no more numbers than its like: `29.0.1` for data of 29.0.1.1, beside `28.0.6`. */
const asLongAs = (written: string | undefined, like: string): string | undefined =>
  written?.split('.').slice(0, like.split('.').length).join('.');

/** For data or a server (`whose`) of another version: the same image with the tag of that version. Only for images of well-known servers. */
export function imageOfVersion(input: RuleInput, written: string | undefined, whose = 'its data'): Correction[] {
  const place = input.place();
  const image = place?.container?.image ?? '';
  const { repository, tag } = parseImage(image);
  const [, sign = '', own = '', rest = ''] = TAG.exec(tag ?? '') ?? [];
  const version = asLongAs(written, own);
  if (!place || version === undefined || !OFFICIAL.test(repository) || !VERSION.test(version) || own === '' || own === version) return [];
  return [withImage(place, `${repository}:${sign}${version}${rest}`, `${whose} is of version ${version}`)];
}

/** A setting with which an image of several versions chooses its own: `PGVERSION` of Spilo. */
const CHOOSES = /^(?:PG_?|POSTGRES(?:QL)?_|MYSQL_|MARIADB_|SERVER_|DB_)VERSION$/;

/** For data of another version, where a variable of the container chooses the version: that of the data. */
export function chosenVersion(input: RuleInput, written: string | undefined): Correction[] {
  const place = input.place();
  const [only, ...more] = place ? givenIn(place).filter(({ name, value }) => CHOOSES.test(name) && VERSION.test(value)) : [];
  const to = only && asLongAs(written, only.value);
  if (!place || !only || more.length > 0 || to === undefined || to === only.value || !/^\d/.test(to)) return [];
  return [
    setTo(place, only, to, {
      why: `its data is of version ${to}`,
      explanation: `${code(only.name)} chooses the version that the image starts.`,
    }),
  ];
}

/** For a program that goes up one major version at a time: the image of the version after that of its data. */
export function nextMajor(input: RuleInput, version: string): Correction[] {
  const from = Number.parseInt(version, 10);
  const place = input.place();
  const { repository, tag } = parseImage(place?.container?.image ?? '');
  const [, sign = '', own = '', rest = ''] = TAG.exec(tag ?? '') ?? [];
  if (!place || Number(own.split('.', 1)[0]) <= from + 1) return [];
  const next = withImage(
    place,
    `${repository}:${sign}${from + 1}${rest}`,
    `its data is of version ${from}, and it goes up one step at a time`,
  );
  return [{ ...next, explanation: `${next.explanation} When it has migrated the data, go on to the next version.` }];
}

/** Places in a tag where the version of Java stands. */
const JAVA = /(?<=(?:java|jdk|jre|temurin|openjdk|corretto|zulu)[:-]?v?)(\d{1,2})(?![\d])|(?<=:)(\d{1,2})(?=-(?:jre|jdk)(?!-?\d))/i;

/** For classes that a newer Java compiled: the image with that version in its tag. Class files of Java N have version N + 44 (JVM specification, 4.1). */
export function imageOfJava(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const wanted = Number(/class file version (\d{2})\.0/.exec(line)?.[1] ?? 0) - 44;
  const image = place?.container?.image ?? '';
  const own = JAVA.exec(image);
  if (!place || wanted < 9 || !own || Number(own[0]) >= wanted) return [];
  return [withImage(place, image.replace(JAVA, String(wanted)), `the classes are of Java ${wanted}`)];
}

/** Nobody knows here whether the image exists. */
const withImage = (place: NonNullable<ReturnType<RuleInput['place']>>, image: string, why: string): Correction => ({
  title: `Use the image ${code(image)}`,
  changes: [change(place, fieldPath(place.path, 'image'), image, why)],
  confidence: 'guess',
  explanation: 'See first that the registry has this tag.',
  mirrorable: true,
});
