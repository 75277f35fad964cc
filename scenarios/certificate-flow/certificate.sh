#!/bin/sh
# Creates a CA, and a certificate of this CA for the Service of the webhook. Usage: certificate.sh FOLDER
set -eu
mkdir -p "$1"
name=$(basename "$1")
cd "$1"
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$name CA" -keyout ca.key -out ca.crt
openssl req -newkey rsa:2048 -nodes -subj /CN=certified -keyout tls.key -out tls.csr
echo 'subjectAltName = DNS:certified.platform.svc' > san.txt
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile san.txt -out tls.crt
