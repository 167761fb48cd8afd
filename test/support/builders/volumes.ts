/** A mount of a container. */
export const mount = (name: string, mountPath: string, more: object = {}) => ({ name, mountPath, ...more });
/** The mounts of a container. */
export const mounts = (...all: object[]) => ({ volumeMounts: all });
/** A volume from a ConfigMap of the same name. */
export const configMap = (name: string, more: object = {}) => ({ name, configMap: { name, ...more } });
/** An empty volume. */
export const empty = (name: string) => ({ name, emptyDir: {} });
/** A volume from a claim of the same name. */
export const claim = (name: string) => ({ name, persistentVolumeClaim: { claimName: name } });
/** The volumes of a pod. */
export const volumes = (...all: object[]) => ({ volumes: all });
