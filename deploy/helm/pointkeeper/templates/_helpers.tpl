{{- define "pointkeeper.secretName" -}}
{{- if .Values.existingSecret -}}{{ .Values.existingSecret }}
{{- else if and .Values.secret.DATABASE_URL .Values.secret.POINTKEEPER_SECRET_KEY -}}{{ .Release.Name }}-pointkeeper
{{- else -}}{{ fail "set existingSecret, or secret.DATABASE_URL and secret.POINTKEEPER_SECRET_KEY" }}
{{- end -}}
{{- end -}}

{{- define "pointkeeper.labels" -}}
app.kubernetes.io/name: pointkeeper
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* A Deployment of one role: dict "root" $ "role" "api" "options" .Values.api */}}
{{- define "pointkeeper.deployment" -}}
{{- $ := .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $.Release.Name }}-{{ .role }}
  labels:
    {{- include "pointkeeper.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    app.kubernetes.io/version: {{ $.Chart.AppVersion | quote }}
spec:
  replicas: {{ .options.replicas }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "pointkeeper.labels" $ | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "pointkeeper.labels" $ | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations:
        {{- /* A changed secret starts new pods: they read it only when they start. */}}
        checksum/secret: {{ toYaml $.Values.secret | sha256sum }}
        {{- with $.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile: { type: RuntimeDefault }
      {{- /* The drain, and then what is in flight: requests have a minute at most. */}}
      terminationGracePeriodSeconds: {{ add ($.Values.settings.POINTKEEPER_DRAIN_SECONDS | default 5 | int) 60 }}
      containers:
        - name: pointkeeper
          image: "{{ $.Values.image.repository }}:{{ $.Values.image.tag | default $.Chart.AppVersion }}"
          imagePullPolicy: {{ $.Values.image.pullPolicy }}
          args: ["start", "--role", {{ .role | quote }}]
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          ports:
            - { name: http, containerPort: 3000 }
            {{- with index $.Values.settings "POINTKEEPER_METRICS_PORT" }}
            - { name: metrics, containerPort: {{ . }} }
            {{- end }}
          env:
            - { name: PUBLIC_URL, value: {{ $.Values.publicUrl | quote }} }
            {{- range $name, $value := $.Values.settings }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          envFrom:
            - secretRef: { name: {{ include "pointkeeper.secretName" $ }} }
          # A migration at the first start of a version may take a while: nobody is restarted for that.
          startupProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 2
            failureThreshold: 300
          livenessProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: /ready, port: http }
            periodSeconds: 2
            timeoutSeconds: 5
          resources:
            {{- toYaml .options.resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - { name: data, emptyDir: {} }
        - { name: tmp, emptyDir: {} }
      {{- with $.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $.Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}
