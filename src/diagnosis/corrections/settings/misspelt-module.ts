import { mountedFiles } from '../files/mounted-files.ts';
import { startedIn } from '../files/other-folder.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { commandWords } from '../container-texts.ts';
import type { Correction } from '../correction.ts';
import { allGivenIn, setTo } from '../given-values.ts';
import { writtenInstead } from '../replace-text.ts';
import { editDistance, nearest, nearestName } from '../similar-names.ts';

/** Usual names of modules in Python programs. */
const USUAL = [
  'settings',
  'config',
  'application',
  'server',
  'worker',
  'celery',
  'manage',
  'production',
  'development',
  'staging',
  'wsgi',
  'asgi',
  'main',
  'tasks',
];

/** The first words of dotted names in other settings of the container: `shop` of `shop.settings`. */
function packagesBeside(input: RuleInput, module: string): string[] {
  const place = input.place();
  const words = [
    ...(place?.container?.args ?? []),
    ...(place?.container?.command ?? []),
    ...(place ? allGivenIn(place).map(({ value }) => value) : []),
  ];
  const found = words.flatMap((word) => /^([a-z_]\w{2,60})(?:\.[a-z_]\w{0,60}){1,6}(?::\w{1,60})?$/.exec(word)?.[1] ?? []);
  return [...new Set(found)].filter((one) => one !== module);
}

/** Whether one name abbreviates the other or is a typo of it. */
const isNear = (a: string, b: string): boolean =>
  (Math.min(a.length, b.length) > 2 && (a.startsWith(b) || b.startsWith(a))) || nearestName(a, [b]).length > 0;

/** The modules of a package whose files come from a volume. */
function modulesBrought(input: RuleInput, parent: string): string[] {
  const place = input.place();
  const folder = `/${parent.replaceAll('.', '/')}/`;
  return (place ? mountedFiles(input, place) : []).flatMap((file) => {
    const at = file.lastIndexOf(folder);
    const name = file.slice(at + folder.length);
    return at >= 0 && /^\w{1,60}\.py$/.test(name) ? [`${parent}.${name.slice(0, -3)}`] : [];
  });
}

/** Uses the module that another container of the pod names, if it differs only in its last part: `shop.settings.production` for `shop.settings.prod`. */
function moduleBeside(input: RuleInput, module: string): Correction[] {
  const spec = input.place()?.spec;
  const at = module.lastIndexOf('.');
  const texts = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].flatMap(({ command = [], args = [], env = [] }) => [
    ...command,
    ...args,
    ...env.map(({ value }) => value ?? ''),
  ]);
  const beside = texts.flatMap((text) => text.slice(0, 2000).match(/[a-z_]\w{0,60}(?:\.[a-z_]\w{0,60}){1,6}/g) ?? []);
  const like = [...new Set([...beside, ...modulesBrought(input, module.slice(0, Math.max(at, 0)))])].filter(
    (one) => at > 0 && one !== module && one.startsWith(module.slice(0, at + 1)) && !one.slice(at + 1).includes('.'),
  );
  const [to, ...more] = like.filter((one) => isNear(module.slice(at + 1), one.slice(at + 1)));
  if (to === undefined || more.length > 0) return [];
  const why = 'the pod has this module';
  return writtenInstead(
    input,
    { from: module, to },
    { why, explanation: `Another container of the pod runs with ${code(to)}, or a volume brings it.` },
  );
}

/** The package of Django's settings, for a server that is started with the `wsgi` or `asgi` of another one (Django, "How to use Django with Gunicorn"). */
function serverOfDjango(input: RuleInput, first: string): string | undefined {
  const place = input.place();
  const settings = place?.container?.env?.find(({ name }) => name === 'DJANGO_SETTINGS_MODULE')?.value ?? '';
  const [own = '', ...rest] = settings.split('.');
  const isServed = commandWords(place?.container).some((word) => [`${first}.wsgi`, `${first}.asgi`].includes(word.split(':', 1)[0] ?? ''));
  return isServed && rest.length > 0 && own !== first ? own : undefined;
}

/** The application of Celery, which lies in the package of Django's settings (Celery, "First steps with Django"). */
function ofDjango(input: RuleInput, module: string): Correction | undefined {
  const place = input.place();
  const given = place ? allGivenIn(place) : [];
  const [only, ...more] = given.filter(({ name, value }) => /^(?:-A|--app)$/.test(name) && value.split(/[.:]/, 1)[0] === module);
  const settings = given.find(({ name }) => name === 'DJANGO_SETTINGS_MODULE')?.value ?? '';
  const to = settings.split('.', 1)[0] ?? '';
  if (!place || !only || more.length > 0 || to === module || to === settings) return undefined;
  return setTo(place, only, only.value.replace(module, to), {
    why: `the settings of Django are in ${code(to)}`,
    explanation: 'The application of Celery usually lies in the package of the settings.',
  });
}

/** Corrects a typo in the name of a package that another setting spells correctly. */
function otherPackage(input: RuleInput, module: string): Correction[] {
  const whole = moduleBeside(input, module);
  if (whole.length > 0) return whole;
  const [first = ''] = module.split('.', 1);
  const application = ofDjango(input, module);
  if (application) return [application];
  const [to = serverOfDjango(input, first), ...more] = nearest(first, packagesBeside(input, first));
  if (to === undefined || more.length > 0) return [];
  const why = `another setting of the container names ${code(to)}`;
  const made = writtenInstead(input, { from: first, to }, { why, explanation: `${code(first)} looks like a typo of ${code(to)}.` });
  return made.filter(({ changes }) => changes.length === 1);
}

/** Starts the program in the folder where a volume puts its module. */
function startedBeside(input: RuleInput, module: string): Correction[] {
  const place = input.place();
  const path = module.replaceAll('.', '/');
  const folders = (place ? mountedFiles(input, place) : []).flatMap((file) =>
    [`/${path}.py`, `/${path}/__init__.py`].flatMap((end) => (file.endsWith(end) ? [file.slice(0, file.length - end.length)] : [])),
  );
  const [folder, ...more] = new Set(folders);
  if (!place || !folder || more.length > 0 || place.container?.workingDir?.replace(/\/$/, '') === folder) return [];
  return [
    startedIn(place, folder, {
      why: `a volume brings the module ${code(module)} there`,
      explanation: 'Python looks for the modules of a program in the folder in which it starts.',
    }),
  ];
}

/** Corrects a typo in a usual word of a module's name, where the container names the module. */
export function misspeltModule(input: RuleInput, module: string): Correction[] {
  const place = input.place();
  const parts = module.split('.');
  const given = place
    ? allGivenIn(place).some(({ value }) => value.includes(module)) || place.container?.args?.some((word) => word.includes(module))
    : false;
  const at = parts.findIndex((part) => part.length > 3 && !USUAL.includes(part) && near(part) !== undefined);
  const brought = place && given ? startedBeside(input, module) : [];
  if (brought.length > 0) return brought;
  if (!given || at < 0) return otherPackage(input, module);
  const part = parts[at] ?? '';
  const to = near(part) ?? '';
  const whole = parts.map((one, index) => (index === at ? to : one)).join('.');
  const why = `${code(part)} looks like a typo of ${code(to)}`;
  return writtenInstead(input, { from: module, to: whole, shown: to }, { why, explanation: 'Modules of Python are usually called so.' });
}

const near = (part: string): string | undefined => {
  const found = USUAL.filter((word) => editDistance(part, word) <= (word.length > 5 ? 2 : 1) && Math.abs(part.length - word.length) < 2);
  return found.length === 1 ? found[0] : undefined;
};
