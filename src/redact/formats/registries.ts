import { formats } from './format.ts';

/** Registries of images and packages. */
export const REGISTRIES = [
  ...formats('Kubernetes: Pull an image from a private registry', [
    ['credentials of registries in Base64', 'eyJhdXRocyI6', 'base64', 20],
    ['credentials of registries in Base64, indented', 'ewogICJhdXRocyI6', 'base64', 20],
    ['credentials of registries in Base64, with tabs', 'ewoJImF1dGhzIjog', 'base64', 20],
  ]),
  ...formats('npm: About access tokens', [['npm access token', 'npm_', 'base62', 36]]),
  ...formats('PyPI: API tokens', [
    ['PyPI token', 'pypi-', 'base64url', 50],
    ['TestPyPI token', 'pypi-AgENdGVzdC5weXBpLm9yZ', 'base64url', 50],
  ]),
  ...formats('RubyGems: API keys', [['RubyGems API key', 'rubygems_', 'hex', 48]]),
  ...formats('crates.io: Token format', [['crates.io token', 'cio', 'base62', 32, 32]]),
  ...formats('NuGet: API keys', [['NuGet API key', 'oy2', 'base36', 43, 43]]),
  ...formats('Docker Hub: Access tokens', [
    ['Docker Hub personal token', 'dckr_pat_', 'base64url', 20],
    ['Docker Hub organization token', 'dckr_oat_', 'base64url', 20],
  ]),
  ...formats('JFrog: Access tokens, reference tokens', [
    ['Artifactory API key', 'AKCp', 'base62', 50],
    ['JFrog reference token', 'cmVmdGtu', 'base62', 40],
  ]),
  ...formats('Packagist: Private Packagist tokens', [
    ['Private Packagist organization token', 'packagist_ort_', 'hex', 60],
    ['Private Packagist organization update token', 'packagist_oat_', 'hex', 60],
    ['Private Packagist user token', 'packagist_uut_', 'hex', 60],
    ['Private Packagist account token', 'packagist_aut_', 'hex', 60],
  ]),
  ...formats('Clojars: Deploy tokens', [['Clojars deploy token', 'CLOJARS_', 'base62', 60]]),
  ...formats('JSR, deno: access tokens', [
    ['JSR token', 'jsrp_', 'base62', 32],
    ['Deno Deploy token', 'ddp_', 'base62', 32],
    ['Deno Deploy organization token', 'ddo_', 'base62', 32],
  ]),
  ...formats('Hex, Cloudsmith, Gemfury, Anaconda: API keys', [['Anaconda token', 'an-', 'dashed', 30]]),
];
