/** Sentences of the cases that the rules do not get right yet. A case that becomes right must leave the list. */
export const OPEN = new Set<string>([
  'a subPath of a key that the ConfigMap has with another ending',
  'a Service that has another port',
  'a Service name with a suffix too many',
  'an init container that waits for a port that no Service has',
  'an error, and then an end with 0',
  'a full volume in memory',
  'an errno without its words',
  'no threads left',
  'a fork that the node refuses',
  'a ConfigMap over the folder of the program',
  'a ConfigMap at the path of a file',
  'a member that says which others are missing',
  'a folder of the node that belongs to root',
]);
