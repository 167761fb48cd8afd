import { replaceText } from '../../corrections/replace-text.ts';
import { misspeltModule } from '../../corrections/settings/misspelt-module.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import { hiddenProgram } from '../../corrections/files/hidden-program.ts';
import type { Correction } from '../../corrections/correction.ts';
import { meantInstead } from '../../corrections/settings/suggested-word.ts';
import { withLegacyOpenSsl } from '../../corrections/settings/remove-setting.ts';
import { code } from '../../rendering/quote.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Signature } from './signature.ts';
import { largerHeap } from '../../corrections/memory/larger-heap.ts';
import { dropCommand } from '../../corrections/command/command.ts';
import { raiseMemory } from '../../corrections/memory/memory.ts';

/** The option that limits the heap, in brackets, if the container has it. */
function heapOption(input: RuleInput): string {
  const { env = [], args = [], command = [] } = input.place()?.container ?? {};
  const words = [...args, ...command, ...env.map(({ value }) => value ?? '')].join(' ');
  const option = /--max-old-space-size[= ]\d{1,7}/.exec(words.slice(0, 20_000))?.[0];
  return option === undefined ? '' : ` (${option})`;
}

/** The application that a module from a ConfigMap creates; undefined unless it creates exactly one. */
function applicationIn({ subject }: RuleInput, module: string): string | undefined {
  const file = `${module.split('.').at(-1)}.py`;
  const texts = (subject.surroundings?.settings ?? []).filter(({ key }) => key === file);
  const found = texts.flatMap(({ value }) =>
    [
      ...value.matchAll(
        /^(\w{1,60})\s{0,4}=\s{0,4}(?:\w{1,60}\.){0,3}(?:Flask|FastAPI|Starlette|Sanic|Quart|Bottle|Litestar|App|Celery|get_[aw]sgi_application)\(/gm,
      ),
    ].map(([, name = '']) => name),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** The name of the application in a module: the one that its file shows, or else the usual one (`main:app` for `main:application`). */
function usualApp(input: RuleInput, module: string, attribute: string): Correction[] {
  const shown = applicationIn(input, module);
  const to = shown ?? (attribute === 'app' ? 'application' : 'app');
  const why = shown === undefined ? 'applications are usually called so' : 'the module makes its application under this name';
  const mayBe = shown !== undefined || /^ap|^aap|^api$|^server$/.test(attribute);
  const changes = mayBe && to !== attribute ? replaceText(input, `${module}:${attribute}`, `${module}:${to}`, why) : [];
  return changes.length === 0
    ? []
    : [
        {
          title: `Write ${code(`${module}:${to}`)}`,
          changes,
          confidence: shown === undefined ? 'guess' : 'likely',
          explanation: `The module ${code(module)} has no ${code(attribute)}.`,
          mirrorable: true,
        },
      ];
}

/** Explains that a volume hides the built files of a program. */
function hiddenBuild(input: RuleInput, folder: string): Partial<Meaning> {
  const work = input.place()?.container?.workingDir ?? '/app';
  const hidden = hiddenProgram(input, `${folder.startsWith('/') ? folder : `${work.replace(/\/$/, '')}/${folder}`}/BUILD`);
  return hidden
    ? {
        because: `volume ${code(hidden.volume)} is mounted at ${code(hidden.folder)} and hides the build of the image`,
        culprit: `volume ${hidden.volume} at ${hidden.folder} (mountPath)`,
        corrections: hidden.corrections,
      }
    : {};
}

/** Modules, scripts and the heap of Python and Node. */
export const pythonAndNodeSignatures: readonly Signature[] = [
  {
    id: 'python-module',
    hints: ['no module named', 'importerror', 'could not import'],
    pattern:
      /(?:ModuleNotFoundError|ImportError): (?:No module named ['"]?(?<module>[\w.-]{1,200})|cannot import name ['"](?<name>\w{1,200})['"] from ['"](?<from>[\w.]{1,200}))|(?:No module named|Could not import(?: module)?) ['"]?(?<bare>[\w.]{1,200})/,
    explain: ({ module, name, from, bare }, input) => {
      const missing = module ?? bare ?? from ?? '';
      return {
        corrections: name ? [] : misspeltModule(input, missing),
        because: name
          ? `the Python module ${code(missing)} has no ${code(name)}`
          : `the Python module ${code(missing)} is not in the image`,
        culprit: name ? `${missing}.${name}` : missing,
        advice: ['Add it to the requirements and build the image again. For your own module check `PYTHONPATH` and `workingDir`.'],
        whereToLook: "the image's requirements, `PYTHONPATH` and `workingDir`",
      };
    },
  },
  {
    id: 'node-module',
    hints: ['cannot find module', 'cannot find package', 'err_module_not_found'],
    pattern: /Cannot find (?:module|package) ['"](?<module>(?!\/)[^'"]{1,200})['"]/,
    explain: ({ module = '' }, input) => ({
      because: `the Node module ${code(module)} is not in the image`,
      culprit: module,
      advice: [
        'Install it in the image (`npm ci --omit=dev` leaves development dependencies out), and check that no volume hides `node_modules`.',
      ],
      corrections:
        (input.place()?.container?.command?.length ?? 0) > 0 && module.startsWith('.')
          ? dropCommand(input.place(), 'the command starts a file that lacks its parts')
          : [],
      whereToLook: "the image's `package.json` and `node_modules`, and mounts over them",
    }),
  },
  {
    id: 'npm-script',
    hints: ['missing script'],
    pattern: /[Mm]issing script:? ['"]?(?<script>[\w:.-]{1,80})/,
    explain: ({ script = '' }, input) => ({
      because: `\`package.json\` has no script ${code(script)}`,
      culprit: `script ${script}`,
      advice: ['Name a script that `package.json` has (`npm run` lists them), or start the program itself.'],
      corrections: dropCommand(input.place(), `there is no script ${code(script)}`),
      whereToLook: "the `scripts` of the image's `package.json`",
    }),
  },
  {
    id: 'node-heap',
    hints: ['javascript heap out of memory'],
    pattern: /JavaScript heap out of memory/,
    explain: (_, input) => ({
      because: "Node's heap is full",
      culprit: `JavaScript heap out of memory${heapOption(input)}`,
      advice: [
        heapOption(input) === ''
          ? 'Raise the memory limit (Node sizes its heap by it), or set `NODE_OPTIONS=--max-old-space-size` to about three quarters of it. If it then only takes longer until it fails, look for a leak.'
          : 'Raise `--max-old-space-size` to about three quarters of the memory limit; a higher limit alone changes nothing. If it then only takes longer until it fails, look for a leak.',
      ],
      corrections: largerHeap(input) ?? raiseMemory(input, 'Node sizes its heap by the limit'),
      whereToLook: 'the memory limit, `NODE_OPTIONS`, and a heap snapshot',
    }),
  },
  {
    id: 'attribute-missing',
    hints: [
      'failed to find attribute',
      'attribute "',
      'has no attribute',
      'unable to load celery application',
      'failed to find application',
      'was not found',
      'class uri',
    ],
    pattern:
      /Failed to find (?:attribute|application object) '(?<a>[\w.]{1,100})' in '(?<m>[\w.]{1,100})'|Attribute "(?<b>[\w.]{1,100})" not found in module "(?<n>[\w.]{1,100})"|[Tt]he module (?<c>[\w.]{1,120}) was not found|[Mm]odule '(?<o>[\w.]{1,120})' has no attribute '(?<d>[\w.]{1,100})'|class uri '(?<e>[\w.:]{1,150})' invalid/,
    explain: ({ a, b, d, m, n, o, c, e }, input) => {
      const attribute = a ?? b ?? d;
      const module = m ?? n ?? o ?? c ?? e ?? '';
      return {
        because: attribute
          ? `the Python module ${code(module)} has no ${code(attribute)}`
          : `the image has no Python module or class ${code(module)}`,
        culprit: attribute ? `${module}.${attribute}` : module,
        advice: ['Correct the name of the module or object in `command` and `args`, or the `workingDir` that it is searched from.'],
        corrections: [
          ...meantInstead(input, attribute ?? module),
          ...(attribute ? usualApp(input, module, attribute) : misspeltModule(input, module)),
        ].slice(0, 1),
        whereToLook: "the container's `command`, `args` and `workingDir`, and the modules of the image",
      };
    },
  },
  {
    id: 'build-missing',
    hints: ['production build'],
    pattern: /[Cc]ould not find a (?:valid )?(?:production )?build in the '(?<folder>[^']{1,200})' directory/,
    explain: ({ folder = '' }, input) => ({
      because: `the image has no build in ${code(folder)}, or the program is started from another folder`,
      culprit: folder,
      advice: [
        'Build the program when the image is built, and copy the build into it. Check the `workingDir`, and that no volume hides the folder.',
      ],
      whereToLook: "the image's contents, `workingDir`, and the mounts of the container",
      ...hiddenBuild(input, folder),
    }),
  },
  {
    id: 'node-openssl',
    hints: ['digital envelope routines', 'err_ossl_evp_unsupported'],
    pattern: /digital envelope routines.{0,4}(?:unsupported|initialization)|ERR_OSSL_EVP_UNSUPPORTED/,
    explain: (_, input) => ({
      because: 'the program uses an old algorithm, which OpenSSL 3 in this version of Node switches off',
      culprit: 'OpenSSL 3 of Node (ERR_OSSL_EVP_UNSUPPORTED)',
      advice: ['Build the program with newer versions of its tools, or set `NODE_OPTIONS=--openssl-legacy-provider`.'],
      corrections: withLegacyOpenSsl(input),
      whereToLook: "the image's version of Node, and `NODE_OPTIONS`",
    }),
  },
];
