// Sends the token behind # once, and takes it out of the address first: history keeps none.
const form = document.getElementById("owner");
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
document.getElementById("token").value = token;
if (token) form.submit();
