/** A file system error, with the message of the C library (`strerror`). */
export class FileFault extends Error {}

const NO_ENTRY = 'No such file or directory';
const IS_DIRECTORY = 'Is a directory';
const DENIED = 'Permission denied';
const READ_ONLY = 'Read-only file system';

interface Node {
  /** Text, or undefined for a directory. */
  text?: string;
  /** Bytes that are counted but not stored (what `dd` writes). */
  extraBytes: number;
  owner: number;
  /** Others than the owner may write here. */
  isOpen: boolean;
  isReadOnly: boolean;
  isExecutable: boolean;
}

/** Directories of an image where only root may write, and the two where everybody may. */
const DIRECTORIES = ['/', '/bin', '/etc', '/dev', '/proc', '/run', '/var', '/var/run', '/usr', '/home', '/root'];
const OPEN_DIRECTORIES = ['/tmp', '/dev/shm'];

/** A container's file system in memory: the files of the image and the mounts. */
export class Files {
  #nodes: Map<string, Node>;
  #isRootReadOnly: boolean;
  #mounts: string[] = [];
  #sources = new Map<string, Files>();

  constructor(executables: string[], isRootReadOnly = false) {
    this.#isRootReadOnly = isRootReadOnly;
    this.#nodes = new Map();
    const add = (path: string, node: Partial<Node>) =>
      this.#nodes.set(path, { extraBytes: 0, owner: 0, isOpen: false, isReadOnly: false, isExecutable: false, ...node });
    for (const path of DIRECTORIES) add(path, {});
    for (const path of OPEN_DIRECTORIES) add(path, { isOpen: true });
    for (const path of executables) add(path, { text: '', isExecutable: true });
    add('/etc/passwd', { text: 'root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' });
    for (const device of ['/dev/null', '/dev/zero', '/dev/stdout', '/dev/stderr', '/dev/termination-log'])
      add(device, { text: '', isOpen: true });
  }

  /** Mounts a volume: a tree that containers of a pod may share. */
  mount(path: string, volume: Files): void {
    this.#makeParents(path);
    this.#mounts.push(path);
    this.#mounts.sort((a, b) => b.length - a.length);
    this.#sources.set(path, volume);
  }

  /** The normal form of a path: no `.`, `..`, double or trailing slashes. */
  static resolve(path: string, from = '/'): string {
    const parts: string[] = [];
    for (const part of `${path.startsWith('/') ? '' : from}/${path}`.split('/')) {
      if (part === '..') parts.pop();
      else if (part && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }

  #at(path: string): { files: Files; path: string } {
    const mount = this.#mounts.find((m) => path === m || path.startsWith(`${m}/`));
    if (mount === undefined) return { files: this, path };
    return (this.#sources.get(mount) as Files).#at(path.slice(mount.length) || '/');
  }

  #makeParents(path: string): void {
    const parts = path.split('/').filter(Boolean);
    for (let i = 1; i <= parts.length; i += 1) {
      const { files, path: own } = this.#at(`/${parts.slice(0, i).join('/')}`);
      if (!files.#nodes.has(own)) files.#nodes.set(own, { extraBytes: 0, owner: 0, isOpen: false, isReadOnly: false, isExecutable: false });
    }
  }

  isDirectory(path: string): boolean {
    const { files, path: own } = this.#at(path);
    const node = files.#nodes.get(own);
    return node !== undefined && node.text === undefined;
  }

  exists(path: string): boolean {
    const { files, path: own } = this.#at(path);
    return files.#nodes.has(own);
  }

  isExecutable(path: string): boolean {
    const { files, path: own } = this.#at(path);
    return files.#nodes.get(own)?.isExecutable === true;
  }

  read(path: string): string {
    const { files, path: own } = this.#at(path);
    const node = files.#nodes.get(own);
    if (!node) throw new FileFault(NO_ENTRY);
    if (node.text === undefined) throw new FileFault('Is a directory');
    return node.text;
  }

  /** Names in a directory, sorted. */
  names(path: string): string[] {
    const { files, path: own } = this.#at(path);
    if (!files.#nodes.has(own)) throw new FileFault(NO_ENTRY);
    const prefix = own === '/' ? '/' : `${own}/`;
    const inside = [...files.#nodes.keys()]
      .filter((p) => p.startsWith(prefix) && p !== own)
      .map((p) => p.slice(prefix.length).split('/')[0] as string);
    const below = path === '/' ? '/' : `${path}/`;
    const mounted = this.#mounts.filter((m) => m.startsWith(below)).map((m) => m.slice(below.length).split('/')[0] as string);
    return [...new Set([...inside, ...mounted])].sort();
  }

  /** Checks that this user may create or remove entries in the directory of `path`. Throws the fault if not. */
  #mayChange(path: string, uid: number): void {
    const parent = path.replace(/\/[^/]*$/, '') || '/';
    const { files, path: own } = this.#at(parent);
    const node = files.#nodes.get(own);
    if (!node) throw new FileFault(NO_ENTRY);
    if (node.text !== undefined) throw new FileFault('Not a directory');
    if (files.#isRootReadOnly || node.isReadOnly) throw new FileFault(READ_ONLY);
    if (uid !== 0 && node.owner !== uid && !node.isOpen) throw new FileFault(DENIED);
  }

  write(
    path: string,
    text: string,
    {
      uid,
      append = false,
      extraBytes = 0,
      isExecutable = false,
    }: { uid: number; append?: boolean; extraBytes?: number; isExecutable?: boolean },
  ): void {
    const { files, path: own } = this.#at(path);
    const node = files.#nodes.get(own);
    if (node) {
      if (node.text === undefined) throw new FileFault(IS_DIRECTORY);
      if (node.isReadOnly || (files.#isRootReadOnly && !own.startsWith('/dev/'))) throw new FileFault(READ_ONLY);
      if (uid !== 0 && node.owner !== uid && !node.isOpen) throw new FileFault(DENIED);
      if (own === '/dev/null' && files === this) return;
      node.text = append ? node.text + text : text;
      node.extraBytes = append ? node.extraBytes + extraBytes : extraBytes;
      return;
    }
    this.#mayChange(path, uid);
    files.#nodes.set(own, { text, extraBytes, owner: uid, isOpen: false, isReadOnly: false, isExecutable });
  }

  makeDirectory(path: string, uid: number, isOpen = false): void {
    if (this.exists(path)) throw new FileFault('File exists');
    this.#mayChange(path, uid);
    const { files, path: own } = this.#at(path);
    files.#nodes.set(own, { extraBytes: 0, owner: uid, isOpen, isReadOnly: false, isExecutable: false });
  }

  remove(path: string, uid: number): void {
    const { files, path: own } = this.#at(path);
    if (!files.#nodes.has(own)) throw new FileFault(NO_ENTRY);
    if (own === '/' && files !== this) throw new FileFault('Device or resource busy');
    this.#mayChange(path, uid);
    for (const key of files.#nodes.keys()) if (key === own || key.startsWith(`${own}/`)) files.#nodes.delete(key);
  }

  setExecutable(path: string): void {
    const { files, path: own } = this.#at(path);
    const node = files.#nodes.get(own);
    if (!node) throw new FileFault(NO_ENTRY);
    node.isExecutable = true;
  }

  /** Bytes written outside volumes, which the limit of `ephemeral-storage` counts. */
  usedBytes(): number {
    let sum = 0;
    for (const node of this.#nodes.values()) sum += (node.text?.length ?? 0) + node.extraBytes;
    return sum;
  }

  /** Creates a volume from files. It is read-only unless it is scratch space, where everybody may write. */
  static volume(contents: Record<string, string>, isReadOnly: boolean): Files {
    const files = new Files([]);
    files.#nodes = new Map();
    const base = { extraBytes: 0, owner: 0, isOpen: !isReadOnly, isReadOnly, isExecutable: false };
    files.#nodes.set('/', { ...base });
    for (const [path, text] of Object.entries(contents)) {
      files.#makeParents(path.replace(/\/[^/]*$/, ''));
      files.#nodes.set(path, { ...base, text });
    }
    for (const node of files.#nodes.values()) node.isReadOnly = isReadOnly;
    return files;
  }
}
