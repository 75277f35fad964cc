package main

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type webhook struct {
	*httptest.Server
	caBundle string
}

// startWebhook serves what refuses the stage "forbidden".
func startWebhook() (*webhook, error) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		var review admissionv1.AdmissionReview
		var object corev1.ConfigMap
		err := json.NewDecoder(request.Body).Decode(&review)
		if err == nil {
			err = json.Unmarshal(review.Request.Object.Raw, &object)
		}
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: object.Data["stage"] != "forbidden"}
		review.Response.Result = &metav1.Status{Message: "there is no stage " + object.Data["stage"]}
		_ = json.NewEncoder(response).Encode(review)
	}))
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	return &webhook{server, base64.StdEncoding.EncodeToString(pem.EncodeToMemory(block))}, nil
}
