"""For schemathesis, as run.ts starts it: what it may not do, and what nobody may get without proving who they are."""

import os

import schemathesis

# The administrator that it acts as: who changes their own password, role or existence is nobody from then on.
OWN_ID = os.environ["FUZZ_OWN_ID"]


@schemathesis.hook
def filter_case(context, case):
    user = (case.path_parameters or {}).get("id")
    return not (case.operation.path.startswith("/api/admin/users/") and str(user) == OWN_ID)


@schemathesis.check
def no_way_past_authentication(ctx, response, case):
    """Asked by nobody, what is not public answers 401; to a method that is none of its own, or an address that is none, that it is none."""
    if not case.operation.definition.raw.get("security"):
        return
    if response.status_code == 401 and response.json() == {"detail": "Not authenticated"}:
        return
    if response.request.method.upper() != case.operation.method.upper() and 400 <= response.status_code < 500:
        return
    is_strange = response.status_code in (400, 404, 405, 414, 501)
    text = response.text
    if is_strange and ("Not found" in text or "not a valid one" in text or "Not an HTTP request" in text):
        return
    raise AssertionError(f"{response.status_code} to nobody: {text[:300]}")
