import { about, counted, type Detector, named } from './detector.ts';
import { SERVERS } from './view.ts';

/** Images whose tag may point to another image tomorrow. */
export const mutableImageTag: Detector = {
  id: 'mutable-image-tag',
  title: 'Images are named without a version',
  category: 'supply-chain',
  severity: 'low',
  requires: [...SERVERS, 'CronJob'],
  why: '`latest` is whatever was pushed last: replicas of one workload may run different versions, a restart may be an upgrade, and going back is not possible.',
  run: ({ workloads }) =>
    workloads.flatMap((subject) => {
      const all = [...(subject.spec.initContainers ?? []), ...subject.spec.containers];
      const images = [...new Set(all.flatMap(({ image }) => (image && isMutable(image) ? [image] : [])))];
      if (images.length === 0) return [];
      return about(subject, {
        summary: `${counted(images.length, 'image')} of ${subject.kind} ${subject.name} without a version: ${named(images)}.`,
        evidence: { images, containers: all.filter(({ image = '' }) => images.includes(image)).map(({ name }) => name) },
        change: 'Name the version that runs now (`image: …:1.4.2`), or its digest (`image: …@sha256:…`), and change it when you mean to.',
      });
    }),
};

/** No tag means `latest`; a digest never changes. Only the part after the last `/` has a tag: a registry may have a port. */
function isMutable(image: string): boolean {
  if (image.includes('@')) return false;
  const tag = image.slice(image.lastIndexOf('/') + 1).split(':')[1];
  return tag === undefined || tag === 'latest';
}
