import { formats } from './format.ts';

/** Payment services and shops. */
export const PAYMENT = [
  ...formats('Stripe: API keys, webhook signatures', [
    ['Stripe secret key', 'sk_live_', 'base62', 10],
    ['Stripe secret test key', 'sk_test_', 'base62', 10],
    ['Stripe restricted key', 'rk_live_', 'base62', 10],
    ['Stripe restricted test key', 'rk_test_', 'base62', 10],
    ['Stripe production key', 'sk_prod_', 'base62', 10],
    ['Stripe organization key', 'sk_org_', 'base64url', 20],
    ['Stripe webhook secret', 'whsec_', 'base64', 24],
    ['publishable key in the form of Stripe', 'pk_live_', 'base62', 20],
  ]),
  ...formats('Square: Access tokens', [
    ['Square access token', 'sq0atp-', 'base64url', 20],
    ['Square application secret', 'sq0csp-', 'base64url', 40],
    ['Square OAuth token', 'EAAA', 'base64url', 56],
  ]),
  ...formats('Braintree, PayPal: Gateway credentials', [
    ['Braintree access token', 'access_token$production$', 'address', 40],
    ['Braintree sandbox access token', 'access_token$sandbox$', 'address', 40],
  ]),
  ...formats('Adyen: API credentials', [['Adyen API key', 'AQE', 'parts', 80]]),
  ...formats('Razorpay: API keys', [
    ['Razorpay key', 'rzp_live_', 'base62', 14],
    ['Razorpay test key', 'rzp_test_', 'base62', 14],
  ]),
  ...formats('Plaid: Access tokens', [
    ['Plaid access token', 'access-production-', 'uuid', 36],
    ['Plaid sandbox token', 'access-sandbox-', 'uuid', 36],
    ['Plaid development token', 'access-development-', 'uuid', 36],
  ]),
  ...formats('Shopify: Access tokens', [
    ['Shopify access token', 'shpat_', 'Hex', 32],
    ['Shopify custom app token', 'shpca_', 'Hex', 32],
    ['Shopify private app password', 'shppa_', 'Hex', 32],
    ['Shopify shared secret', 'shpss_', 'Hex', 32],
    ['Shopify CLI partner token', 'atkn_', 'hex', 40],
    ['Shopify theme token', 'shptka_', 'Hex', 32],
    ['Shopify user token', 'shpua_', 'Hex', 32],
  ]),
  ...formats('Paystack, Flutterwave, Mollie, Lob, Shippo, EasyPost, Duffel: API keys', [
    ['Flutterwave secret key', 'FLWSECK-', 'dashed', 30],
    ['Flutterwave secret test key', 'FLWSECK_TEST-', 'dashed', 12],
    ['Mollie live key', 'live_', 'base62', 30],
    ['Mollie test key', 'test_', 'base62', 30],
    ['Mollie access token', 'access_', 'base62', 30],
    ['Shippo token', 'shippo_live_', 'hex', 40],
    ['Shippo test token', 'shippo_test_', 'hex', 40],
    ['EasyPost key', 'EZAK', 'base62', 54],
    ['EasyPost test key', 'EZTK', 'base62', 54],
    ['Duffel token', 'duffel_live_', 'padded', 40],
    ['Duffel test token', 'duffel_test_', 'padded', 40],
    ['GoCardless token', 'live_gocardless_', 'padded', 30],
    ['Paddle API key', 'pdl_', 'base64url', 40],
    ['Paddle webhook secret', 'pdl_ntfset_', 'base64url', 40],
    ['Polar token', 'polar_oat_', 'base62', 30],
    ['Checkout.com secret key', 'sk_sbox_', 'base36', 24],
    ['Xendit production key', 'xnd_production_', 'base62', 30],
    ['Xendit development key', 'xnd_development_', 'base62', 30],
  ]),
];
