/**
 * Secrets in the forms of the Kubernetes documentation. Each text has one where a log, an event or a manifest may quote it. `secret` must
 * not be in any output. `page` describes the form.
 */
export const SECRETS: Record<string, { page: string; text: string; secret: string }> = {
  'a bootstrap token': {
    page: 'reference/access-authn-authz/bootstrap-tokens',
    text: 'kubeadm join 10.0.0.1:6443 --token 07401b.f395accd246ae52d --discovery-token-ca-cert-hash sha256:8cb2de97',
    secret: 'f395accd246ae52d',
  },
  'a bootstrap token in a header': {
    page: 'reference/access-authn-authz/bootstrap-tokens',
    text: 'Authorization: Bearer 07401b.f395accd246ae52d',
    secret: 'f395accd246ae52d',
  },
  'the secret half of a bootstrap token': {
    page: 'concepts/configuration/secret',
    text: 'stringData:\n  token-id: "5emitj"\n  token-secret: "kq4gihvszzgn1p0r"\n  usage-bootstrap-signing: "true"\n',
    secret: 'kq4gihvszzgn1p0r',
  },
  'a service account token': {
    page: 'reference/access-authn-authz/service-accounts-admin',
    text: 'reading token eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJpc3MiOiJrdWJlcm5ldGVzL3NlcnZpY2VhY2NvdW50Iiwic3ViIjoic3lzdGVtOnNlcnZpY2VhY2NvdW50OmRlZmF1bHQ6YnVpbGQtcm9ib3QifQ.c2lnbmF0dXJlLXNpZ25hdHVyZS1zaWduYXR1cmU failed',
    secret: 'eyJpc3MiOiJrdWJlcm5ldGVzL3NlcnZpY2VhY2NvdW50',
  },
  'a user and password of a Secret': {
    page: 'tasks/configmap-secret/managing-secret-using-config-file',
    text: 'stringData:\n  username: admin\n  password: t0p-Secret\n',
    secret: 't0p-Secret',
  },
  'the same, encoded': {
    page: 'tasks/configmap-secret/managing-secret-using-config-file',
    text: 'kind: Secret\ndata:\n  username: YWRtaW4=\n  password: UyFCXCpkJHpEc2I9\n',
    secret: 'UyFCXCpkJHpEc2I9',
  },
  'a literal on a command line': {
    page: 'tasks/configmap-secret/managing-secret-using-kubectl',
    text: "kubectl create secret generic db-user-pass --from-literal=username=admin --from-literal=password='S!B\\*d$zDsb='",
    secret: 'S!B\\*d$zDsb=',
  },
  'the credentials of a registry': {
    page: 'tasks/configure-pod-container/pull-image-private-registry',
    text: '{"auths":{"https://index.docker.io/v1/":{"username":"janedoe","password":"xxxxxxxxxxx","email":"jdoe@example.com","auth":"c3RyYW5nZTpwYXNzd29yZDEyMw=="}}}',
    secret: 'c3RyYW5nZTpwYXNzd29yZDEyMw==',
  },
  'the same as a Secret holds them': {
    page: 'concepts/configuration/secret',
    text: 'data:\n  .dockerconfigjson: eyJhdXRocyI6eyJodHRwczovL2V4YW1wbGUvdjEvIjp7ImF1dGgiOiJvcGVuc2VzYW1lIn19fQo=\n',
    secret: 'eyJhdXRocyI6eyJodHRwczovL2V4YW1wbGUvdjEv',
  },
  'a registry password on a command line': {
    page: 'tasks/configure-pod-container/pull-image-private-registry',
    text: 'kubectl create secret docker-registry regcred --docker-server=r.example --docker-username=u --docker-password=S3cretPull --docker-email=x@y.example',
    secret: 'S3cretPull',
  },
  'a private key for SSH': {
    page: 'concepts/configuration/secret',
    text: 'data:\n  ssh-privatekey: UG91cmluZzYlRW1vdGljb24lU2N1YmE=\n',
    secret: 'UG91cmluZzYlRW1vdGljb24lU2N1YmE',
  },
  'a private key for TLS': {
    page: 'concepts/configuration/secret',
    text: 'data:\n  tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t\n  tls.key: RXhhbXBsZSBkYXRhIGZvciB0aGUgVExTIGtleSBmaWVsZA==\n',
    secret: 'RXhhbXBsZSBkYXRhIGZvciB0aGUgVExTIGtleSBmaWVsZA',
  },
  'a private key as it is': {
    page: 'tasks/administer-cluster/certificates',
    text: 'loaded -----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNdykoA1Yx7Y0lXkzA3\noAoGCCqGSM49AwEHoUQDQgAE\n-----END EC PRIVATE KEY-----\nready',
    secret: 'MHcCAQEEIIrYSSNdykoA1Yx7Y0lXkzA3',
  },
  'a client key of a kubeconfig': {
    page: 'concepts/configuration/organize-cluster-access-kubeconfig',
    text: 'users:\n- name: developer\n  user:\n    client-certificate-data: LS0tLS1CRUdJTg==\n    client-key-data: TFMwdExTMUNSVWRKVGlCU1UwRWdVRkpKVmtGVVJTQkxSVmt0TFMwdExRbz0=\n',
    secret: 'TFMwdExTMUNSVWRKVGlCU1UwRWdVRkpKVmtGVVJTQkxSVmt0TFMwdExRbz0',
  },
  'a token and a password of a kubeconfig': {
    page: 'tasks/access-application-cluster/configure-access-multiple-clusters',
    text: 'kubectl config set-credentials experimenter --username=exp --password=some-passw0rd',
    secret: 'some-passw0rd',
  },
  'a key that encrypts the database': {
    page: 'tasks/administer-cluster/encrypt-data',
    text: '    - aescbc:\n        keys:\n        - name: key1\n          secret: c2VjcmV0IGlzIHNlY3VyZSwgSSB0aGluaw==\n',
    secret: 'c2VjcmV0IGlzIHNlY3VyZSwgSSB0aGluaw',
  },
  'a secret of OpenID Connect': {
    page: 'reference/access-authn-authz/authentication',
    text: '--auth-provider-arg=client-id=kubernetes --auth-provider-arg=client-secret=1db158f6-177d-4d9c-8a8b-d36869918ec5 --auth-provider-arg=refresh-token=q1bKLFOyUiosTfawzA93TzZIDzH2TNa2SMm0zEiPKTUwME6BkEo6Sql5yUWVBSWpKUGphaWpxSVFn',
    secret: '1db158f6-177d-4d9c-8a8b-d36869918ec5',
  },
  'a password in the variables of a pod': {
    page: 'tasks/run-application/run-single-instance-stateful-application',
    text: '        env:\n        - name: MYSQL_ROOT_PASSWORD\n          value: passw0rd-of-mysql\n',
    secret: 'passw0rd-of-mysql',
  },
};
