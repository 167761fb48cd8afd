/** One instruction of a Dockerfile: its word, and the rest of the line. */
export type Instruction = [word: string, rest: string];

/** The instructions of each stage, without `FROM`. It supports only what deploy/Dockerfile needs: each instruction is one line. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile.split('\n').filter((line) => /^[A-Z]/.test(line));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (word === 'FROM') stages.push([]);
    else stages.at(-1)?.push([word, rest]);
  }
  return stages;
}

/** The variables of one `ENV`, as an image's configuration has them: `A=1 B="two words"` gives two variables. */
export function variablesOf(rest: string): string[] {
  return [...rest.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)].map(([, name, quoted, plain]) => `${name}=${quoted ?? plain ?? ''}`);
}
